-- Deleting an application deletes the access tokens that are in force. The newest refresh tokens lead to them, so they are
-- found without the used ones of thirty days.
create index oauth_refresh_tokens_by_client_expiry on oauth_refresh_tokens (client_id, expires_at);
drop index oauth_refresh_tokens_by_client;
