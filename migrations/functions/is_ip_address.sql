-- Whether a text is one IPv4 or IPv6 address. inet also accepts networks, and IPv4 with leading zeros, which others read as octal.
create or replace function is_ip_address(value text) returns boolean language plpgsql immutable strict as $$
begin
  return value !~ '/|(^|\.)0\d+(\.|$)' and family(value::inet) is not null;
exception
  when invalid_text_representation then
    return false;
end $$;
