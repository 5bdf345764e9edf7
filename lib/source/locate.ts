import { type SourcePlace, Sources } from './sources';

/**
 * Finds the place in the source for a path such as `tables.blog.entities.Post.keys.PK`. If the source does not contain
 * the whole path, finds the place for the longest prefix that it contains. Returns undefined if the source does not
 * contain the design, for example because code computes the design at run time.
 */
export type Locator = (design: string, path: string) => SourcePlace | undefined;

/**
 * @param file the module that exports the designs; the locator also reads the modules that this module imports by a
 * relative path
 * @param read the text of a file; undefined if it cannot be read
 */
export function locatorIn(file: string, read: (file: string) => string | undefined): Locator {
  const sources = new Sources(read);
  return (design, path) => {
    const found = sources.inDesign(file, design, path) ?? sources.inDesign(file, design, 'name');
    return found && sources.place(found);
  };
}
