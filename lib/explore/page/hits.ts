import type { SystemView, TableView } from '../view';
import { links } from './state';

/** A search result. */
export interface Hit {
  readonly kind: string;
  readonly name: string;
  readonly where: string;
  readonly href: string;
  /** Additional text to search. */
  readonly about?: string;
}

const SHOWN = 40;

/**
 * Finds entities, attributes, key templates, tables, indexes, patterns and procedures whose name, place and purpose
 * together contain every typed word. Results whose name begins with the text come first, followed by those whose name
 * contains it.
 */
export function search(systems: readonly SystemView[], text: string): readonly Hit[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const words = wanted.split(/\s+/);
  const ranked = systems.flatMap(hitsOf).flatMap((hit) => {
    const rank = rankOf(hit, wanted, words);
    return rank === undefined ? [] : [{ hit, rank }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SHOWN)
    .map(({ hit }) => hit);
}

function rankOf({ name, where, about = '' }: Hit, wanted: string, words: readonly string[]): number | undefined {
  const own = name.toLowerCase();
  if (own.startsWith(wanted)) return 0;
  if (own.includes(wanted)) return 1;
  if (words.every((word) => own.includes(word))) return 2;
  const all = `${own} ${where} ${about}`.toLowerCase();
  // At least one word must match the name or purpose. Otherwise, a search for a table's name would find everything in
  // the table.
  const isAbout = words.some((word) => own.includes(word) || about.toLowerCase().includes(word));
  return isAbout && words.every((word) => all.includes(word)) ? 3 : undefined;
}

function hitsOf(system: SystemView): readonly Hit[] {
  return [
    ...system.tables.flatMap((table) => hitsIn(system, table)),
    ...system.procedures.map(({ name, purpose = '' }) => ({
      kind: 'procedure',
      name,
      where: system.name,
      href: links.procedure(system, name),
      about: purpose,
    })),
  ];
}

function hitsIn(system: SystemView, table: TableView): readonly Hit[] {
  const where = `${system.name} · ${table.name}`;
  return [
    ...table.entities.map(({ name }) => ({
      kind: 'entity',
      name,
      where,
      href: links.entity(system, table.name, name),
    })),
    ...table.places.map(({ index, purpose = '' }) => ({
      kind: index === undefined ? 'table' : 'index',
      name: index ?? table.name,
      where,
      href: links.place(system, table.name, index),
      about: purpose,
    })),
    ...table.patterns.map(({ name, purpose = '' }) => ({
      kind: 'pattern',
      name,
      where,
      href: links.pattern(system, table.name, name),
      about: purpose,
    })),
    ...table.entities.flatMap((entity) => {
      const at = { where: `${where} · ${entity.name}`, href: links.entity(system, table.name, entity.name) };
      return [
        ...entity.attributes.map(({ name }) => ({ kind: 'attribute', name, ...at })),
        ...entity.keys
          .filter(({ natural }) => !natural)
          .map(({ attribute, template }) => ({
            kind: `key ${attribute}`,
            name: template.map((mark) => mark.text).join(''),
            ...at,
          })),
      ];
    }),
  ];
}
