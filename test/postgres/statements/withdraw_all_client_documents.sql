update clients
set
  disabled_at = now(),
  disabled_by_owner = true
from
  client_documents
where
  client_documents.client_id = clients.client_id
  and clients.disabled_at is null
returning
  clients.client_id
