import type { Fields } from './fields.js';
import {
  ANY_OBJECT,
  BOOLEAN,
  COUNTRY_CODE,
  DATE,
  DATE_TIME,
  ID,
  JSON_TEXT,
  DECIMAL,
  TEXT,
  enumType,
  textType,
} from './fields.js';
import { AUDIT_LOG_ENTRY_TYPE, DOCUMENT_TYPE, DOCUMENT_WORK_STATUS, MESSAGE_TYPE, REPORT_TYPE } from './enums.js';

export const documentFields: Fields = {
  documentType: { ...enumType(DOCUMENT_TYPE), set: 'by-service' },
  documentNumber: { ...ID, set: 'by-service' },
  initials: { ...TEXT, set: 'by-service' },
  createdByUserId: { ...ID, set: 'by-service' },
  timeCreated: { ...DATE_TIME, set: 'by-service' },
  postingDate: DATE,
  cancelled: { ...BOOLEAN, set: 'by-service' },
  timeCancelled: { ...DATE_TIME, set: 'by-service' },
  workStatus: { ...enumType(DOCUMENT_WORK_STATUS), always: true },
  countryCode: { ...COUNTRY_CODE, set: 'by-service' },
  languageCode: { ...TEXT, set: 'by-service' },
  value: { ...DECIMAL, set: 'by-service' },
  reportName: { ...TEXT, set: 'by-service' },
  reportType: { ...enumType(REPORT_TYPE), set: 'by-service' },
  reportDescription: { ...TEXT, set: 'by-service' },
  reportId: { ...ID, set: 'by-service' },
  documentCreatedEventId: { ...TEXT, set: 'by-service' },
  documentCancelledEventId: { ...TEXT, set: 'by-service' },
  dataDocument: JSON_TEXT,
  locale: { ...ANY_OBJECT, set: 'by-service' },
};

export const attachmentFields: Fields = {
  fileName: { ...textType(1, 255), always: true },
  lastModified: { ...DATE_TIME, set: 'by-service' },
  size: { ...DECIMAL, set: 'by-service' },
  presignedUrl: TEXT,
  eventId: { ...TEXT, set: 'by-service' },
  content: { ...TEXT, set: 'by-service' },
  base64EncodedContent: TEXT,
  attachmentType: TEXT,
};

export const eventMessageFields: Fields = {
  eventId: { ...TEXT, set: 'on-create', always: true },
  time: { ...DATE_TIME, always: true },
  source: TEXT,
  userId: ID,
  deviceName: TEXT,
  messageType: { ...enumType(MESSAGE_TYPE), always: true },
  messageText: TEXT,
  documentation: TEXT,
};

export const auditLogEntryFields: Fields = {
  timeCreated: { ...DATE_TIME, set: 'by-service' },
  type: { ...enumType(AUDIT_LOG_ENTRY_TYPE), set: 'by-service' },
  entityName: { ...TEXT, set: 'by-service' },
  entityId: { ...ID, set: 'by-service' },
  userInitials: { ...TEXT, set: 'by-service' },
  confirmed: { ...BOOLEAN, set: 'by-service' },
  authenticated: { ...BOOLEAN, set: 'by-service' },
  data: { ...TEXT, set: 'by-service' },
  fieldNameValueMap: { ...ANY_OBJECT, set: 'by-service' },
};
