import type { AuditEventName, RecordedEvent } from '../../src/audit/audit.sql.ts';

/** What a statement of the store writes beside its change when a test runs it. */
export const recorded = (event: AuditEventName): RecordedEvent => ({ event, request_id: 'test', address: null });
