import { type SourcePlace, Sources } from './sources';

/**
 * Finds the place of a path such as `tables.blog.entities.Post.keys.PK`, or of the part of it that the source has. Returns
 * undefined if the source does not show the design, for example because code computes it.
 */
export type Locator = (design: string, path: string) => SourcePlace | undefined;

/**
 * @param file the module that exports the designs; modules that it imports by a relative path are read too
 * @param read the text of a file; undefined if it cannot be read
 */
export function locatorIn(file: string, read: (file: string) => string | undefined): Locator {
  const sources = new Sources(read);
  return (design, path) => {
    const found = sources.inDesign(file, design, path) ?? sources.inDesign(file, design, 'name');
    return found && sources.place(found);
  };
}
