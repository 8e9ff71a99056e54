-- Which of `name` and `email` the source of an account has stated, and so states again; null until it has stated anything.
alter table users add column kept_there text[];
