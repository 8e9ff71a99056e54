-- The demo: one person, who may see every page. Safe to run again.

select register_user(
  username => 'alice', password => 'wonderland', email => 'alice@example.com', name => 'Alice Liddell', is_admin => true);

-- a start without the demo ends what is marked as its own
update users set is_demo = true, disabled_at = null where username = 'alice';
