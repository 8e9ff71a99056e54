delete from banned_sites
where
  site_domain = $1
returning
  site_domain
