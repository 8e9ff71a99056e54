-- When sessions of the person were last ended from outside of their browsers: what was proved before begins no session any more.
alter table users
  add column sessions_ended_at timestamptz;
