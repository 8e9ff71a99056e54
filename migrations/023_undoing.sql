-- What a person takes back who says "This was not me".

alter table users
  -- when a link of a mail has set the password last: from then on the password proves no more than that somebody reads the mailbox
  add column password_reset_at timestamptz;
