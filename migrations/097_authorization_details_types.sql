-- The choices that a client may name in authorization_details [RFC 9396 §10]. Null or empty: all that its scopes need.
alter table clients add column authorization_details_types text[];
