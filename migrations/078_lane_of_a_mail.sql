-- The lane in which an instance tries a mail at this moment; null while the mail waits.
alter table mails add column lane integer;
