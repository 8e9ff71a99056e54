-- A newer link ends the one before when its mail has been handed over: until then there are both.

drop index mailed_links_newest;
drop index sign_up_links_newest;
create index sign_up_links_by_address on sign_up_links (folded_name(address));
