-- The demo: one person, one application. Safe to run again.

select register_user(
  username => 'alice', password => 'wonderland', email => 'alice@example.com', name => 'Alice Liddell');
