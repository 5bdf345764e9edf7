import type { SystemDesign } from '../design/system';
import { blog } from './blog/design';
import { booking } from './booking/design';
import { controlePgm } from './controle-pgm/design';
import { transporte } from './transporte/design';
import { trimobe } from './trimobe/design';

/**
 * A design that follows a document exactly, and the answers that a plan from this design to the bundled design needs.
 */
interface Documented {
  readonly design: SystemDesign;
  readonly answers: {
    readonly split?: Readonly<Record<string, readonly string[]>>;
    readonly because?: Readonly<Record<string, string>>;
  };
}

/**
 * Each system exactly as in its document, without our additions to stored items. A plan can start from the lock of such
 * a design: `const { design, answers } = documented.blog()`, then `planFor(lockOf(design, { environment }), blog,
 * answers)`.
 */
export const documented = {
  // This design has no GSI3 and no guards for likes.
  blog: () => ({
    design: differing(blog, {
      'tables.blog.indexes.GSI3': undefined,
      'tables.blog.entities.Post.keys.GSI3PK': undefined,
      'tables.blog.entities.Post.keys.GSI3SK': undefined,
      'tables.blog.entities.Like.unique': undefined,
      'tables.blog.patterns.latestPosts': undefined,
    }),
    answers: {},
  }),
  // This design has no guards for addresses, and a conversation is one item.
  trimobe: () => {
    const { updateConversation, deleteConversation } = trimobe.tables.RuralCreditAI.patterns;
    const design = differing(trimobe, {
      'tables.Users.entities.User.unique': undefined,
      'tables.Users.patterns.releaseEmail': undefined,
      'tables.RuralCreditAI.entities.ConversationHeader': undefined,
      'tables.RuralCreditAI.patterns.conversationWithMessages.returns': ['Message'],
      'tables.RuralCreditAI.patterns.createConversation': { op: 'put', entity: 'Conversation' },
      'tables.RuralCreditAI.patterns.updateConversation': updateConversation.steps.conversation,
      'tables.RuralCreditAI.patterns.deleteConversation': deleteConversation.steps.conversation,
      'tables.RuralCreditAI.acknowledge': {},
    });
    return { design, answers: { split: { 'RuralCreditAI.Conversation': ['ConversationHeader'] } } };
  },
  // As in the document's examples, services and bookings have no GSI1 keys, and one conditional put creates a booking.
  booking: () => {
    const { bookingsOfProvider, updateBooking } = booking.tables.Bookings.patterns;
    const createBooking = { op: 'put', entity: 'Booking' };
    const design = differing(booking, {
      procedures: undefined,
      'tables.Services.entities.Service.keys': undefined,
      'tables.Services.patterns.servicesByCategory': undefined,
      'tables.Bookings.entities.Booking.keys.GSI1PK': undefined,
      'tables.Bookings.entities.Booking.keys.GSI1SK': undefined,
      'tables.Bookings.entities.CancelledBooking': undefined,
      'tables.Bookings.entities.ProviderDay': undefined,
      'tables.Bookings.patterns': { bookingsOfProvider, updateBooking, createBooking },
      'tables.Bookings.acknowledge': {},
    });
    return { design, answers: { because: { 'tables.Bookings.patterns.createBooking': 'now a procedure' } } };
  },
  // Without GSI3.
  transporte: () => ({
    design: differing(transporte, {
      'tables.TransporteApp.indexes.GSI3': undefined,
      'tables.TransporteApp.entities.CartaPorte.keys.GSI3PK': undefined,
      'tables.TransporteApp.entities.CartaPorte.keys.GSI3SK': undefined,
      'tables.TransporteApp.patterns.waybillByFolio': undefined,
    }),
    answers: {},
  }),
  // This design has no lookup table, which the document only suggests.
  'controle-pgm': () => ({
    design: differing(controlePgm, { procedures: undefined, 'tables.UsersByEmail': undefined }),
    answers: {},
  }),
} as const satisfies Readonly<Record<string, () => Documented>>;

/** Returns a copy of a design with a new value at each path. If the new value is undefined, removes the old value. */
function differing(design: SystemDesign, differences: Readonly<Record<string, unknown>>): SystemDesign {
  const replaced = Object.entries(differences).reduce(
    (whole, [path, value]) => replacedAt(whole, path.split('.'), value),
    design as unknown as Whole,
  );
  return replaced as unknown as SystemDesign;
}

type Whole = Readonly<Record<string, unknown>>;

function replacedAt(whole: Whole, [name = '', ...rest]: readonly string[], value: unknown): Whole {
  if (!(name in whole)) throw new Error(`the design has no '${name}' to replace or remove`);
  if (rest.length > 0) return { ...whole, [name]: replacedAt(whole[name] as Whole, rest, value) };
  const { [name]: _, ...others } = whole;
  return value === undefined ? others : { ...whole, [name]: value };
}
