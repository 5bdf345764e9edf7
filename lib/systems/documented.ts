import type { SystemDesign } from '../design/system';
import { blog } from './blog/design';
import { booking } from './booking/design';
import { controlePgm } from './controle-pgm/design';
import { transporte } from './transporte/design';
import { trimobe } from './trimobe/design';

/** A design built from a document alone, and the answers that a plan from there to our design needs. */
interface Documented {
  readonly design: SystemDesign;
  readonly answers: {
    readonly split?: Readonly<Record<string, readonly string[]>>;
    readonly because?: Readonly<Record<string, string>>;
  };
}

/**
 * Each system exactly as in its document, without our additions to stored items. A plan starts from its lock:
 * `const { design, answers } = documented.blog()`, then `planFor(lockOf(design, { environment }), blog, answers)`.
 */
export const documented = {
  blog: documentedBlog,
  trimobe: documentedTrimobe,
  booking: documentedBooking,
  transporte: documentedTransporte,
  'controle-pgm': documentedControlePgm,
} as const satisfies Readonly<Record<string, () => Documented>>;

/** Blog without GSI3 and without the guards of likes. */
function documentedBlog(): Documented {
  const table = blog.tables.blog;
  const { Post, Like } = table.entities;
  const entities = {
    ...table.entities,
    Post: { ...Post, keys: without(Post.keys, 'GSI3PK', 'GSI3SK') },
    Like: without(Like, 'unique'),
  };
  const patterns = without(table.patterns, 'latestPosts');
  return {
    design: { ...blog, tables: { blog: { ...table, indexes: without(table.indexes, 'GSI3'), entities, patterns } } },
    answers: {},
  };
}

/** Trimobe without the guards of addresses; a conversation is one item. */
function documentedTrimobe(): Documented {
  const { Users, RuralCreditAI } = trimobe.tables;
  const { conversationWithMessages, updateConversation, deleteConversation } = RuralCreditAI.patterns;
  return {
    design: {
      ...trimobe,
      tables: {
        ...trimobe.tables,
        Users: {
          ...Users,
          entities: { User: without(Users.entities.User, 'unique') },
          patterns: without(Users.patterns, 'releaseEmail'),
        },
        RuralCreditAI: {
          ...RuralCreditAI,
          entities: without(RuralCreditAI.entities, 'ConversationHeader'),
          patterns: {
            ...RuralCreditAI.patterns,
            conversationWithMessages: { ...conversationWithMessages, returns: ['Message'] },
            createConversation: { op: 'put', entity: 'Conversation' },
            updateConversation: updateConversation.steps.conversation,
            deleteConversation: deleteConversation.steps.conversation,
          },
          acknowledge: {},
        },
      },
    },
    answers: { split: { 'RuralCreditAI.Conversation': ['ConversationHeader'] } },
  };
}

/** As in the examples, services and bookings have no keys of GSI1; a booking is one conditional put. */
function documentedBooking(): Documented {
  const { Services, Bookings } = booking.tables;
  const { bookingsOfProvider, updateBooking } = Bookings.patterns;
  const { Booking } = Bookings.entities;
  return {
    design: {
      ...without(booking, 'procedures'),
      tables: {
        ...booking.tables,
        Services: {
          ...Services,
          entities: { Service: without(Services.entities.Service, 'keys') },
          patterns: without(Services.patterns, 'servicesByCategory'),
        },
        Bookings: {
          ...Bookings,
          entities: { Booking: { ...Booking, keys: without(Booking.keys, 'GSI1PK', 'GSI1SK') } },
          patterns: {
            ...{ bookingsOfProvider, updateBooking },
            createBooking: { op: 'put', entity: 'Booking' },
          },
          acknowledge: {},
        },
      },
    },
    answers: { because: { 'tables.Bookings.patterns.createBooking': 'it is a procedure now' } },
  };
}

/** Without GSI3. */
function documentedTransporte(): Documented {
  const table = transporte.tables.TransporteApp;
  const { CartaPorte } = table.entities;
  const entities = {
    ...table.entities,
    CartaPorte: { ...CartaPorte, keys: without(CartaPorte.keys, 'GSI3PK', 'GSI3SK') },
  };
  const patterns = without(table.patterns, 'waybillByFolio');
  return {
    design: {
      ...transporte,
      tables: { TransporteApp: { ...table, indexes: without(table.indexes, 'GSI3'), entities, patterns } },
    },
    answers: {},
  };
}

/** Controle PGM without the look-up table, which the document only suggests. */
function documentedControlePgm(): Documented {
  return {
    design: { ...without(controlePgm, 'procedures'), tables: without(controlePgm.tables, 'UsersByEmail') },
    answers: {},
  };
}

function without<T extends object, K extends keyof T>(whole: T, ...names: readonly K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;
}
