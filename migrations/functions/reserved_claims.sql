-- Names that mean something in the answers of this server, in JWTs [9068 §2.2; 7519 §4.1] or in introspection [7662 §2.2].
create or replace function reserved_claims() returns text[] language sql immutable as $$
  select '{iss,sub,aud,exp,nbf,iat,jti,client_id,scope,cnf,active,token_type,username,auth_time,acr,amr,azp,nonce,at_hash,c_hash,sid,act,may_act,
    id,login,type,name,email,email_verified,email_pending,error,error_description,error_uri,request_id,token_introspection,authorization_details,
    constructor,prototype,__proto__}'::text[]
$$;
