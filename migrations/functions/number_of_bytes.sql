-- The number that bytes stand for, the highest byte first.
create or replace function number_of_bytes(bytes bytea) returns numeric language plpgsql immutable strict as $$
declare
  number numeric := 0;
begin
  for position in 0 .. length(bytes) - 1 loop
    number := number * 256 + get_byte(bytes, position);
  end loop;
  return number;
end $$;
