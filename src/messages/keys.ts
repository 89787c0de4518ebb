import { PROBLEM_PHRASES } from './problem-keys.js';

/** Languages of the people in the warehouses; one file `messages.<language>.yaml` each. */
export const LANGUAGES = ['en', 'da'] as const;
export type Language = (typeof LANGUAGES)[number];

/** As the IMS names them: how loudly a message is shown. */
export type MessageType = 'INFO' | 'WARNING' | 'ERROR';

interface Message {
  readonly type: MessageType;
  readonly values: readonly string[];
}

const shipment = 'shipmentNumber';

/**
 * Everything we say to a warehouse worker, and what each text must hold. A failure says three things: what was tried,
 * what came back (quoted), what to do. ERROR: no label will come by itself; WARNING: work goes on, or something has to
 * be looked after; INFO: nothing is wrong. Each text may also use {bookingDocument} and {theBookingDocument}: the words
 * for the document that asked for the booking; where none did, for the one that the area books on.
 */
export const MESSAGES = {
  /** `problems`, here and below: quoted with `quoteProblems`. */
  refused: { type: 'ERROR', values: [shipment, 'carrier', 'problems'] },
  'refused-parcel': { type: 'ERROR', values: [shipment, 'carrier', 'container', 'problems'] },
  /** The account's settings are not accepted. */
  credentials: { type: 'ERROR', values: [shipment, 'carrier', 'problems'] },
  /** Nothing was sent: the account, or its settings, are not those that it was planned for. */
  'account-gone': { type: 'ERROR', values: [shipment, 'carrier', 'problems'] },
  /** `carriers`: the names that would do. */
  'no-carrier': { type: 'ERROR', values: [shipment, 'carrierName', 'carriers'] },
  /** `tried`: the rules, and why each did not match. */
  'no-rule': { type: 'ERROR', values: [shipment, 'tried'] },
  /** Said when the shipment is created, before anyone packs. */
  'no-rule-yet': { type: 'WARNING', values: [shipment, 'tried'] },
  /** The IMS has instructions for the carrier, under `key`, and none of them is for this shipment. */
  'no-instruction': { type: 'ERROR', values: [shipment, 'carrier', 'key'] },
  'no-instruction-yet': { type: 'WARNING', values: [shipment, 'carrier', 'key'] },
  /** `of`: the seller or carrier whose settings in the IMS cannot be booked with; `settings`: their names. */
  'no-settings': { type: 'ERROR', values: [shipment, 'carrier', 'of', 'settings'] },
  'no-settings-yet': { type: 'WARNING', values: [shipment, 'carrier', 'of', 'settings'] },
  /** The shipment lacks what every carrier needs; the keys follow the codes of a shipment that cannot become a request. */
  'cancelled-shipment': { type: 'ERROR', values: [shipment] },
  'no-delivery-address': { type: 'ERROR', values: [shipment] },
  'no-country': { type: 'ERROR', values: [shipment] },
  'no-containers': { type: 'ERROR', values: [shipment] },
  'no-weight': { type: 'ERROR', values: [shipment, 'container'] },
  'shipment-unusable': { type: 'ERROR', values: [shipment, 'problems'] },
  'shipment-missing': { type: 'ERROR', values: ['shipmentId'] },
  /** Our access does not let us read shipments. */
  'shipment-not-readable': { type: 'ERROR', values: [shipment] },
  /** `area`: the shipment's, by contextId; it is not configured. */
  'shipment-of-other-area': { type: 'ERROR', values: [shipment, 'area'] },
  preflight: { type: 'WARNING', values: [shipment, 'carrier', 'problems'] },
  /** As `preflight`, at the booking: the carrier was not asked. */
  'preflight-refused': { type: 'ERROR', values: [shipment, 'carrier', 'problems'] },
  /** What may be wrong, and is booked all the same; said before packing or at the booking. */
  'preflight-doubt': { type: 'WARNING', values: [shipment, 'carrier', 'problems'] },
  /** Texts that the carrier gets changed; rows of consignments hold this key and its value, so both keep their first name. */
  losses: { type: 'WARNING', values: [shipment, 'carrier', 'losses'] },
  /** As `losses`, of what the carrier has no place for: shortening does not help. */
  'losses-left-out': { type: 'WARNING', values: [shipment, 'carrier', 'losses'] },
  /** The IMS refused to set the carrier that we chose. */
  'carrier-not-set': { type: 'WARNING', values: [shipment, 'carrier', 'answer'] },
  /** Another booking of the same shipment is on its way. */
  'waiting-sibling': { type: 'WARNING', values: [shipment] },
  'waiting-ims': { type: 'WARNING', values: [shipment] },
  /** The IMS does not accept the key of the area, … */
  'waiting-ims-key': { type: 'WARNING', values: [shipment, 'area'] },
  /** … or our client. */
  'waiting-ims-client': { type: 'WARNING', values: [shipment] },
  /** The requests that the IMS allows in a day are used up. */
  'waiting-new-day': { type: 'WARNING', values: [shipment] },
  /** Nothing is booked yet, and it is booked by itself when the carrier answers. */
  'waiting-carrier': { type: 'WARNING', values: [shipment, 'carrier'] },
  /** As `waiting-in-doubt`, while the carrier does not say whether it is booked. */
  'waiting-carrier-in-doubt': { type: 'WARNING', values: [shipment, 'carrier'] },
  'waiting-in-doubt': { type: 'WARNING', values: [shipment, 'carrier'] },
  /** Booked, but the label is not to be had yet. */
  'waiting-label': { type: 'WARNING', values: [shipment, 'carrier'] },
  'waiting-limit': { type: 'WARNING', values: [shipment, 'carrier'] },
  /** This instance does not know its account, and one with a newer configuration may. */
  'waiting-account': { type: 'WARNING', values: [shipment, 'carrier'] },
  /** Nothing was booked. */
  'gave-up': { type: 'ERROR', values: [shipment, 'carrier', 'minutes'] },
  /** Nothing was booked: the IMS does not say what is to be booked. */
  'gave-up-ims': { type: 'ERROR', values: [shipment, 'minutes'] },
  /** Another booking of the shipment did not end. */
  'gave-up-sibling': { type: 'ERROR', values: [shipment, 'minutes'] },
  /** The booking was tried again after another booking of the shipment was made. */
  'booked-since': { type: 'ERROR', values: [shipment] },
  /** The parcels are not in the shipment any more; the booking is not tried again. */
  'parcels-gone': { type: 'ERROR', values: [shipment, 'carrier', 'numbers'] },
  /** Another transport booking has parcels, where one has ended without any; their numbers may still be used. */
  'still-booked': { type: 'WARNING', values: [shipment, 'carrier', 'numbers'] },
  /** Parcels are booked by an earlier transport booking, beside a newer one. */
  'booked-beside': { type: 'WARNING', values: [shipment, 'carrier', 'numbers'] },
  /** Its turn at the carrier did not come; nothing was booked. */
  'gave-up-limit': { type: 'ERROR', values: [shipment, 'carrier', 'minutes'] },
  /** As `gave-up-limit`, when some parcels are booked. */
  'gave-up-limit-rest': { type: 'ERROR', values: [shipment, 'carrier', 'minutes'] },
  /** Some parcels are booked, the rest is not. */
  'gave-up-rest': { type: 'ERROR', values: [shipment, 'carrier', 'minutes'] },
  /** It may be booked; only a person can find out. */
  'person-needed': { type: 'ERROR', values: [shipment, 'carrier', 'reference'] },
  /** As `person-needed`, where the reference is the number of the shipment. */
  'person-needed-by-number': { type: 'ERROR', values: [shipment, 'carrier'] },
  /** Beside `person-needed`: why we did not ask the carrier. */
  'not-looked-up': { type: 'WARNING', values: [shipment, 'carrier', 'problem'] },
  /** As `person-needed`, after a person has ended it without finding out. */
  'ended-by-hand': { type: 'WARNING', values: [shipment, 'carrier', 'reference'] },
  /** `booked`, `missing`: containers. */
  'incomplete-parcels': { type: 'ERROR', values: [shipment, 'carrier', 'booked', 'missing'] },
  /** Found at the carrier, but not which number belongs to which container. */
  'found-unmatched': { type: 'ERROR', values: [shipment, 'carrier', 'numbers'] },
  /** Booked, with numbers that cannot be tracking numbers. */
  'number-unusable': { type: 'ERROR', values: [shipment, 'carrier', 'parcels', 'numbers'] },
  /** Several parcels have one number. */
  'number-twice': { type: 'ERROR', values: [shipment, 'carrier', 'parcels', 'numbers'] },
  /** `others`: the shipments of the parcels that have the numbers. */
  'number-taken': { type: 'ERROR', values: [shipment, 'carrier', 'parcels', 'numbers', 'others'] },
  /** An answer of the carrier came late, with numbers `late`; the parcels have `numbers` by now. */
  'late-answer': { type: 'ERROR', values: [shipment, 'carrier', 'numbers', 'late'] },
  /** As `late-answer`, when the parcels have no other numbers and will not get any. */
  'late-answer-only': { type: 'ERROR', values: [shipment, 'carrier', 'late'] },
  /** As `late-answer`, when they have none yet, and may be booked again. */
  'late-answer-open': { type: 'ERROR', values: [shipment, 'carrier', 'late'] },
  /** `numbers`: the reference that the carrier's answer names. */
  'number-other-request': { type: 'ERROR', values: [shipment, 'carrier', 'parcels', 'numbers'] },
  'label-missing': { type: 'ERROR', values: [shipment, 'carrier', 'carrierNumber', 'problems'] },
  /** Our access does not let us attach it. */
  'not-attached': { type: 'INFO', values: [shipment, 'link'] },
  /** As `not-attached`, where the document stays PENDING as well. */
  'not-attached-open': { type: 'INFO', values: [shipment, 'link'] },
  /** The IMS refused the label file. */
  'attach-failed': { type: 'ERROR', values: [shipment, 'link', 'problem'] },
  /** For warehouses without booking documents, where nothing else shows that the label is there. */
  'labels-ready': { type: 'INFO', values: [shipment, 'carrier'] },
  /** `files`: of papers for customs that are attached. */
  'customs-papers': { type: 'WARNING', values: [shipment, 'files'] },
  /** As `customs-papers`, where our access does not let us attach them. */
  'customs-papers-missing': { type: 'WARNING', values: [shipment, 'files'] },
  /** Fewer pages than parcels: a parcel may lack its label. */
  'label-pages': { type: 'WARNING', values: [shipment, 'carrier', 'pages', 'parcels'] },
  /** The IMS did not take the document's last status. */
  'status-failed': { type: 'WARNING', values: [shipment, 'status', 'problem'] },
  /** `labels`: their places in the file, e.g. `2, 3`; `size`: of the printer's labels. */
  'label-as-it-came': { type: 'WARNING', values: [shipment, 'carrier', 'labels', 'size'] },
  /** `problem`: what came of it, and what to do. */
  'return-label-missing': { type: 'WARNING', values: [shipment, 'carrier', 'container', 'problem'] },
  'print-failed': { type: 'WARNING', values: [shipment, 'problem'] },
  'print-unknown': { type: 'WARNING', values: [shipment] },
  /** `what`: for example `tracking number 123 of container 2`. */
  'write-back-failed': { type: 'ERROR', values: [shipment, 'what', 'problem'] },
  'no-tracking-number': { type: 'WARNING', values: [shipment, 'containers'] },
  /** `lacks`: what our access does not cover, as a worker notices it. */
  'not-allowed': { type: 'WARNING', values: ['lacks'] },
  cancelled: { type: 'INFO', values: [shipment, 'carrier', 'carrierNumber'] },
  /** A delivery note is cancelled, and no event of it names its shipment. */
  'cancel-shipment-unknown': { type: 'ERROR', values: ['deliveryNote'] },
  /** The event of a cancellation names no document. `shipments`: the booked ones; `-`: it names none. */
  'cancelled-unknown': { type: 'ERROR', values: ['shipments'] },
  /** Its event does not say what the document is, and the IMS did not say it either. */
  'document-not-identified': { type: 'ERROR', values: ['document'] },
  /** As `document-not-identified`, where an earlier event of the document has begun a booking. */
  'document-booked-on-before': { type: 'WARNING', values: ['document', shipment] },
  /** The event names the shipment only: it may have asked for a booking, or for its cancellation. */
  'change-not-identified': { type: 'WARNING', values: [shipment] },
  /** An event asks for the booking of several shipments, and names no document. */
  'booking-of-several': { type: 'ERROR', values: ['shipments'] },
  'cancel-refused': { type: 'ERROR', values: [shipment, 'carrier', 'carrierNumber', 'problems'] },
  /** Nothing was sent: the account is not the one that it was booked with. */
  'cancel-account-gone': { type: 'ERROR', values: [shipment, 'carrier', 'carrierNumber', 'problems'] },
  'cancel-not-possible': { type: 'ERROR', values: [shipment, 'carrier', 'carrierNumber'] },
  /** A later booking of the shipment has its parcels. */
  'cancel-handed-on': { type: 'ERROR', values: [shipment, 'carrier', 'carrierNumber'] },
  /** As `cancel-handed-on`, where the cancellation of the later one is asked for and waits for a person. */
  'cancel-handed-on-open': { type: 'ERROR', values: [shipment, 'carrier', 'carrierNumber'] },
  /** As `cancel-handed-on`, where the cancellation of the later one has failed. */
  'cancel-handed-on-refused': { type: 'ERROR', values: [shipment, 'carrier', 'carrierNumber'] },
  /** The carrier refused a second cancellation after the answer to the first was lost. */
  'cancel-uncertain': { type: 'ERROR', values: [shipment, 'carrier', 'carrierNumber', 'problems'] },
  /** The carrier never said whether it cancelled. */
  'cancel-unanswered': { type: 'ERROR', values: [shipment, 'carrier', 'carrierNumber'] },
  /** `cancelled`, `remaining`: numbers of the carrier; a part without one remains under its reference. */
  'cancel-partly': { type: 'ERROR', values: [shipment, 'carrier', 'cancelled', 'remaining', 'problems'] },
  /** As `cancel-partly`, where the carrier has not answered about the rest, or cannot be asked. */
  'cancel-partly-unknown': { type: 'ERROR', values: [shipment, 'carrier', 'cancelled', 'remaining'] },
  /** As `cancel-partly`, where the account is gone since. */
  'cancel-partly-account-gone': { type: 'ERROR', values: [shipment, 'carrier', 'cancelled', 'remaining', 'problems'] },
  /** Each attempt met an internal error. `numbers`: still booked, as far as we know; `reference`: as below. */
  'cancel-internal-error': { type: 'ERROR', values: [shipment, 'carrier', 'numbers', 'reference'] },
  /** What happened on the way; `said`: by the carrier, with the time and the place as it gives them. */
  'parcel-customs': { type: 'WARNING', values: [shipment, 'carrier', 'trackingNumber', 'said'] },
  'parcel-delivery-failed': { type: 'WARNING', values: [shipment, 'carrier', 'trackingNumber', 'said'] },
  'parcel-lost-or-damaged': { type: 'WARNING', values: [shipment, 'carrier', 'trackingNumber', 'said'] },
  'parcel-returned': { type: 'WARNING', values: [shipment, 'carrier', 'trackingNumber', 'said'] },
  'parcel-delivered': { type: 'INFO', values: [shipment, 'carrier', 'trackingNumber', 'said'] },
  /** `document`: the consignment note; `problems`: quoted; `closed`: the carrier's numbers of what it took. */
  'close-out-failed': { type: 'WARNING', values: ['document', 'carrier', 'problems', 'closed'] },
  /** Our settings or limits kept the carrier from being asked. */
  'close-out-not-asked': { type: 'WARNING', values: ['document', 'carrier', 'problems', 'closed'] },
  /** `shipments`: that the note names, and that are not booked. */
  'not-on-manifest': { type: 'WARNING', values: ['document', 'shipments'] },
  /** `shipments`: that the note names, with parcels that are booked and on no manifest of it; there may be no manifest. */
  'late-for-manifest': { type: 'WARNING', values: ['document', 'shipments'] },
  /** `shipments`: that the note names, and that are in doubt. */
  'doubt-for-manifest': { type: 'WARNING', values: ['document', 'shipments'] },
  /** The event of the note names no shipments, and we may not read them; `right`: what we may not do. */
  'note-not-readable': { type: 'WARNING', values: ['document', 'right'] },
  /** `reference`: finds the consignment in our log. */
  'internal-error': { type: 'ERROR', values: [shipment, 'reference'] },
} as const satisfies Record<string, Message>;

/** Parts of messages: why rules did not match, in words. */
export const PHRASES = {
  /** In place of a message of another version; `message`: its key. */
  'unknown-message': ['message', 'values', 'theBookingDocument'],
  /** The words for a document that is booked on. */
  'transport-booking': [],
  'the-transport-booking': [],
  'delivery-note': [],
  'the-delivery-note': [],
  'tried-rule': ['rule', 'reasons'],
  'none-tried': [],
  more: ['count'],
  found: ['field', 'value', 'wanted'],
  holds: ['field', 'value'],
  missing: ['field', 'why'],
  excepted: ['reasons'],
  nothing: [],
  yes: [],
  no: [],
  'wanted-$eq': ['value'],
  'wanted-$ne': ['value'],
  'wanted-$in': ['value'],
  'wanted-$nin': ['value'],
  'wanted-$gt': ['value'],
  'wanted-$gte': ['value'],
  'wanted-$lt': ['value'],
  'wanted-$lte': ['value'],
  'wanted-$regex': ['value'],
  'wanted-not': ['wanted'],
  'why-not-packed': [],
  'why-no-weight': [],
  'why-no-volume': [],
  'why-no-dimensions': [],
  'why-no-lines': [],
  'why-no-price': [],
  'why-no-country': [],
  'why-no-sender-country': [],
  'why-no-postal-code': [],
  'why-not-numeric': [],
  'why-not-said': [],
  'why-not-read': [],
  'why-no-time': [],
  'why-no-event': [],
  'settings-of-seller': ['name'],
  'settings-of-carrier': ['name'],
  'text-changed': ['field', 'given', 'sent'],
  'text-dropped': ['field', 'given'],
  ...PROBLEM_PHRASES,
  'lack-status': [],
  'lack-tracking': [],
  'lack-shipment': [],
  'lack-label': [],
  'lack-print': [],
  'right-read-documents': [],
  'right-list-shipments': [],
  'owner-recipient': [],
  'owner-sender': [],
  'owner-shipment': [],
  'owner-parcel': [],
  'field-name': [],
  'field-street': [],
  'field-second-line': [],
  'field-care-of': [],
  'field-city': [],
  'field-reference': [],
  'field-contact': [],
  'field-phone': [],
  'field-mobile': [],
  'field-email': [],
  'field-address': [],
  'field-notes': [],
  'field-description': [],
  'fact-country': [],
  'fact-delivery-postal-code': [],
  'fact-postal-code': [],
  'fact-weight': [],
  'fact-volume': [],
  'fact-parcels': [],
  'fact-longest-side': [],
  'fact-value': [],
  'fact-domestic': [],
  'fact-eu': [],
  'fact-business': [],
  'fact-dangerous-goods': [],
  'fact-weekday': [],
  'fact-hour': [],
  'fact-seller': [],
  'fact-customer': [],
  'fact-private': [],
  'fact-pick-up-point': [],
  'fact-carrier': [],
  'error-sheet-no-label': [],
  'error-sheet-shipment': [],
  'handover-title': [],
  'handover-sender': [],
  'handover-date': [],
  'handover-document': [],
  'handover-shipment': [],
  'handover-carrier-number': [],
  'handover-route': [],
  'handover-tracking-number': [],
  'handover-weight': [],
  'handover-consignments': [],
  'handover-parcels': [],
  'handover-without-weight': [],
  'handover-driver': [],
  'handover-signature': [],
  'handover-time': [],
  'handover-page': [],
  /** For operators, as all below: why a consignment was skipped. */
  skipped: [],
  'cause-in-doubt': ['carrier', 'count'],
  'cause-manifest': ['account', 'note'],
  'cause-dead-letter': ['url', 'note'],
  'cause-given-up': ['account', 'note'],
  'cause-callback': ['account', 'note'],
  'cause-untold': ['account'],
  'cause-task': ['task', 'note'],
  'cause-return': ['account', 'note'],
} as const satisfies Record<string, readonly string[]>;

export type PhraseKey = keyof typeof PHRASES;

export type PhraseValues<Key extends PhraseKey> = Readonly<Record<(typeof PHRASES)[Key][number], string | number>>;

/** A part of a message in the language of the area. */
export type Phrases = <Key extends PhraseKey>(key: Key, values: PhraseValues<Key>) => string;

export type MessageKey = keyof typeof MESSAGES;

/** The values that a text needs, by name. */
export type MessageValues<Key extends MessageKey> = Readonly<
  Record<(typeof MESSAGES)[Key]['values'][number], string | number>
>;
