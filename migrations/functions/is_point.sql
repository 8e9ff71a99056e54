-- Whether coordinates are those of a point of the curve P-256 or, with x alone, Ed25519, by which a key can be made.
create or replace function is_point(curve text, x bytea, y bytea) returns boolean language plpgsql immutable as $$
declare
  p numeric := 115792089210356248762697446949407573530086143415290314195533631308867097853951;
  b constant numeric := 41058363725152142129326129780047268409114441015993725554835256314039467401291;
  d constant numeric := 37095705934669439343138083508754565189542113879843219016388785533085940283555;
  of_order_eight constant numeric := 2707385501144840649318225287225658788936804267575313519463743609750303402022;
  u numeric := number_of_bytes(x);
  v numeric := number_of_bytes(y);
  root numeric := 1;
begin
  if curve = 'P-256' then
    return length(x) = 32 and length(y) = 32 and u < p and v < p and mod(v * v - u * u * u + 3 * u - b, p) = 0;
  end if;
  -- Ed25519 [8032 §5.1.3]: the other coordinate, without its sign, which is the highest bit; the lowest byte comes first
  p := 57896044618658097711785492504343953926634992332820282019728792003956564819949;
  v := mod(number_of_bytes((select string_agg(substring(x from n for 1), '' order by n desc) from generate_series(1, length(x)) n)), p + 19);
  -- with a key of small order, anybody makes signatures
  if length(x) <> 32 or v >= p or v in (0, 1, p - 1, of_order_eight, p - of_order_eight) then
    return false;
  end if;
  -- the square of the first coordinate is (v² - 1) / (dv² + 1): it has a root if this power of its numerator and denominator is 1
  u := mod((v * v - 1) * (mod(d * v * v, p) + 1), p);
  -- (p - 1) / 2 = 2^254 - 10, whose bits are ones except for the third and the last one
  for bit in reverse 253 .. 0 loop
    root := mod(root * root, p);
    if bit not in (3, 0) then
      root := mod(root * u, p);
    end if;
  end loop;
  return root = 1;
end $$;
