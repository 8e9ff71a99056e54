-- The last end of sessions of the person that this session came after; -infinity: no end. A session counts only while it is still the
-- last one, so that an end also reaches a session that begins at the same moment. Null: the previous release has made the session.
alter table sessions
  add column begun_after timestamptz;
