-- The demo: one person, who may see every page. Safe to run again.

select register_user(
  username => 'alice', password => 'wonderland', email => 'alice@example.com', name => 'Alice Liddell', is_admin => true);
