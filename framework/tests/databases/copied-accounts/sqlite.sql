-- 20260101000000_create_items_table
CREATE TABLE "items" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "name" TEXT NOT NULL CHECK (length("name") <= 120),
  "category" TEXT NOT NULL CHECK (length("category") <= 40),
  "price" DECIMAL(10, 2) NOT NULL,
  "stock" INTEGER NOT NULL DEFAULT 0 CHECK ("stock" BETWEEN -2147483648 AND 2147483647),
  "created_at" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now') || '000') CHECK ("created_at" GLOB '????-??-?? ??:??:??.??????')
);
CREATE INDEX "items_name_id_index" ON "items" ("name", "id");
CREATE INDEX "items_price_id_index" ON "items" ("price", "id");
CREATE INDEX "items_created_at_id_index" ON "items" ("created_at", "id");

-- 20260101000001_create_users_table
CREATE TABLE "users" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "email" TEXT NOT NULL CHECK (length("email") <= 254),
  "password" TEXT CHECK (length("password") <= 255),
  "email_verified_at" INTEGER,
  "created_at" TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f', 'now') || '000') CHECK ("created_at" GLOB '????-??-?? ??:??:??.??????')
);
CREATE UNIQUE INDEX "users_email_unique" ON "users" ("email");

-- 20260101000002_create_tokens_table
CREATE TABLE "tokens" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "selector" TEXT NOT NULL CHECK (length("selector") = 16),
  "verifier" TEXT NOT NULL CHECK (length("verifier") = 64),
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "purpose" TEXT NOT NULL CHECK (length("purpose") <= 20),
  "expires" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL
);
CREATE UNIQUE INDEX "tokens_user_id_purpose_unique" ON "tokens" ("user_id", "purpose");
CREATE INDEX "tokens_expires_index" ON "tokens" ("expires");
CREATE UNIQUE INDEX "tokens_selector_unique" ON "tokens" ("selector");

-- 20260101000003_create_trusts_table
CREATE TABLE "trusts" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "selector" TEXT NOT NULL CHECK (length("selector") = 16),
  "verifier" TEXT NOT NULL CHECK (length("verifier") = 64),
  "previous" TEXT CHECK (length("previous") = 64),
  "rotated" INTEGER,
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "expires" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL,
  "agent" TEXT NOT NULL CHECK (length("agent") <= 255),
  "peer" TEXT NOT NULL CHECK (length("peer") <= 64),
  "used" INTEGER NOT NULL
);
CREATE INDEX "trusts_user_id_index" ON "trusts" ("user_id");
CREATE INDEX "trusts_expires_index" ON "trusts" ("expires");
CREATE UNIQUE INDEX "trusts_selector_unique" ON "trusts" ("selector");

-- 20260101000004_create_sessions_table
CREATE TABLE "sessions" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "digest" TEXT NOT NULL CHECK (length("digest") = 64),
  "data" TEXT NOT NULL,
  "revision" INTEGER NOT NULL CHECK ("revision" BETWEEN -2147483648 AND 2147483647),
  "identity" TEXT CHECK (length("identity") <= 255),
  "device" TEXT CHECK (length("device") <= 64),
  "agent" TEXT NOT NULL CHECK (length("agent") <= 255),
  "peer" TEXT NOT NULL CHECK (length("peer") <= 64),
  "created_at" INTEGER NOT NULL,
  "used" INTEGER NOT NULL,
  "expires" INTEGER NOT NULL
);
CREATE INDEX "sessions_identity_index" ON "sessions" ("identity");
CREATE INDEX "sessions_expires_index" ON "sessions" ("expires");
CREATE UNIQUE INDEX "sessions_digest_unique" ON "sessions" ("digest");

-- 20260101000005_create_rate_limits_table
CREATE TABLE "rate_limits" (
  "digest" TEXT NOT NULL CHECK (length("digest") = 64),
  "hits" INTEGER NOT NULL CHECK ("hits" BETWEEN -2147483648 AND 2147483647),
  "earlier" INTEGER NOT NULL CHECK ("earlier" BETWEEN -2147483648 AND 2147483647),
  "ends" REAL NOT NULL,
  "allowed" INTEGER NOT NULL CHECK ("allowed" BETWEEN -2147483648 AND 2147483647),
  PRIMARY KEY ("digest")
);

-- 20260101000006_create_jobs_table
CREATE TABLE "jobs" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "queue" TEXT NOT NULL CHECK (length("queue") <= 64),
  "state" TEXT NOT NULL CHECK (length("state") <= 8),
  "due" INTEGER NOT NULL,
  "lease" TEXT CHECK (length("lease") <= 36),
  "attempts" INTEGER NOT NULL DEFAULT 0 CHECK ("attempts" BETWEEN -2147483648 AND 2147483647),
  "digest" TEXT CHECK (length("digest") = 64),
  "payload" BLOB,
  "reason" TEXT CHECK (length("reason") <= 120),
  "created_at" INTEGER NOT NULL,
  "ended_at" INTEGER
);
CREATE UNIQUE INDEX "jobs_queue_digest_unique" ON "jobs" ("queue", "digest");
CREATE INDEX "jobs_queue_state_due_id_index" ON "jobs" ("queue", "state", "due", "id");

-- 20260101000007_create_submissions_table
CREATE TABLE "submissions" (
  "slot" TEXT NOT NULL CHECK (length("slot") = 64),
  "digest" TEXT NOT NULL CHECK (length("digest") = 64),
  "claim" TEXT NOT NULL CHECK (length("claim") = 32),
  "sealed" TEXT NOT NULL,
  "expires" INTEGER NOT NULL,
  PRIMARY KEY ("slot")
);
CREATE INDEX "submissions_expires_index" ON "submissions" ("expires");

-- 20260101000008_create_error_tables
CREATE TABLE "error_groups" (
  "fingerprint" TEXT NOT NULL CHECK (length("fingerprint") = 32),
  "class" TEXT NOT NULL CHECK (length("class") <= 200),
  "message" TEXT NOT NULL CHECK (length("message") <= 500),
  "code" TEXT CHECK (length("code") <= 100),
  "place" TEXT NOT NULL CHECK (length("place") <= 300),
  "state" TEXT NOT NULL CHECK (length("state") <= 8),
  "occurrences" INTEGER NOT NULL,
  "first_ms" INTEGER NOT NULL,
  "last_ms" INTEGER NOT NULL,
  "first_release" TEXT NOT NULL CHECK (length("first_release") <= 190),
  "last_release" TEXT NOT NULL CHECK (length("last_release") <= 190),
  "resolved_ms" INTEGER,
  "resolved_release" TEXT CHECK (length("resolved_release") <= 190),
  "returned_ms" INTEGER,
  "returned_release" TEXT CHECK (length("returned_release") <= 190),
  PRIMARY KEY ("fingerprint")
);
CREATE INDEX "error_groups_state_last_ms_index" ON "error_groups" ("state", "last_ms");
CREATE TABLE "error_samples" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "fingerprint" TEXT NOT NULL CHECK (length("fingerprint") = 32),
  "at_ms" INTEGER NOT NULL,
  "body" TEXT NOT NULL
);
CREATE INDEX "error_samples_fingerprint_id_index" ON "error_samples" ("fingerprint", "id");
CREATE TABLE "error_marks" (
  "fingerprint" TEXT NOT NULL CHECK (length("fingerprint") = 32),
  "kind" TEXT NOT NULL CHECK (length("kind") <= 8),
  "value" TEXT NOT NULL CHECK (length("value") <= 190),
  PRIMARY KEY ("fingerprint", "kind", "value")
);

-- 20260101000009_add_factors_column
ALTER TABLE "users" ADD COLUMN "factors" TEXT CHECK (length("factors") <= 255);

-- 20260101000010_create_activity_table
CREATE TABLE "account_activity" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "event" TEXT NOT NULL CHECK (length("event") <= 32),
  "method" TEXT CHECK (length("method") <= 64),
  "agent" TEXT NOT NULL CHECK (length("agent") <= 255),
  "device" TEXT NOT NULL CHECK (length("device") = 32),
  "network" TEXT NOT NULL CHECK (length("network") <= 64),
  "request" TEXT CHECK (length("request") <= 128),
  "actor" TEXT NOT NULL CHECK (length("actor") <= 255),
  "at" INTEGER NOT NULL
);
CREATE INDEX "account_activity_user_id_id_index" ON "account_activity" ("user_id", "id");
CREATE INDEX "account_activity_at_index" ON "account_activity" ("at");

-- 20260101000011_create_authenticator_tables
CREATE TABLE "totp_secrets" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "state" TEXT NOT NULL CHECK (length("state") <= 8),
  "secret" BLOB NOT NULL CHECK (length("secret") <= 255),
  "step" INTEGER NOT NULL,
  "expires" INTEGER,
  "created_at" INTEGER NOT NULL
);
CREATE UNIQUE INDEX "totp_secrets_user_id_state_unique" ON "totp_secrets" ("user_id", "state");
CREATE INDEX "totp_secrets_expires_index" ON "totp_secrets" ("expires");
CREATE TABLE "recovery_codes" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "digest" TEXT NOT NULL CHECK (length("digest") = 64),
  "created_at" INTEGER NOT NULL
);
CREATE UNIQUE INDEX "recovery_codes_user_id_digest_unique" ON "recovery_codes" ("user_id", "digest");

-- 20260101000012_create_api_tokens_table
CREATE TABLE "api_tokens" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "selector" TEXT NOT NULL CHECK (length("selector") = 16),
  "verifier" TEXT NOT NULL CHECK (length("verifier") = 64),
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "name" TEXT NOT NULL CHECK (length("name") <= 100),
  "scopes" TEXT NOT NULL CHECK (length("scopes") <= 1000),
  "expires" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL,
  "used" INTEGER
);
CREATE INDEX "api_tokens_user_id_index" ON "api_tokens" ("user_id");
CREATE INDEX "api_tokens_expires_index" ON "api_tokens" ("expires");
CREATE UNIQUE INDEX "api_tokens_selector_unique" ON "api_tokens" ("selector");

-- 20260101000013_create_passkey_tables
CREATE TABLE "passkeys" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "digest" TEXT NOT NULL CHECK (length("digest") = 64),
  "credential" TEXT NOT NULL CHECK (length("credential") <= 1364),
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "user_handle" TEXT NOT NULL CHECK (length("user_handle") = 43),
  "public_key" BLOB NOT NULL CHECK (length("public_key") <= 1024),
  "counter" INTEGER NOT NULL,
  "transports" TEXT NOT NULL CHECK (length("transports") <= 100),
  "verifies" INTEGER NOT NULL CHECK ("verifies" IN (0, 1)),
  "synced" INTEGER NOT NULL CHECK ("synced" IN (0, 1)),
  "name" TEXT NOT NULL CHECK (length("name") <= 100),
  "created_at" INTEGER NOT NULL,
  "used" INTEGER
);
CREATE INDEX "passkeys_user_id_index" ON "passkeys" ("user_id");
CREATE UNIQUE INDEX "passkeys_digest_unique" ON "passkeys" ("digest");
CREATE TABLE "passkey_challenges" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "digest" TEXT NOT NULL CHECK (length("digest") = 64),
  "expires" INTEGER NOT NULL
);
CREATE INDEX "passkey_challenges_expires_index" ON "passkey_challenges" ("expires");
CREATE UNIQUE INDEX "passkey_challenges_digest_unique" ON "passkey_challenges" ("digest");

-- 20260101000014_create_mail_sign_ins_table
CREATE TABLE "mail_sign_ins" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "browser" TEXT NOT NULL CHECK (length("browser") = 64),
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "account" TEXT NOT NULL CHECK (length("account") = 64),
  "code" TEXT NOT NULL CHECK (length("code") = 64),
  "link" TEXT NOT NULL CHECK (length("link") = 64),
  "tries" INTEGER NOT NULL,
  "expires" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL
);
CREATE INDEX "mail_sign_ins_user_id_id_index" ON "mail_sign_ins" ("user_id", "id");
CREATE INDEX "mail_sign_ins_expires_index" ON "mail_sign_ins" ("expires");
CREATE UNIQUE INDEX "mail_sign_ins_browser_unique" ON "mail_sign_ins" ("browser");

-- 20260101000015_create_email_changes_table
CREATE TABLE "email_changes" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "selector" TEXT NOT NULL CHECK (length("selector") = 16),
  "verifier" TEXT NOT NULL CHECK (length("verifier") = 64),
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "kind" TEXT NOT NULL CHECK (length("kind") <= 8),
  "email" TEXT NOT NULL CHECK (length("email") <= 254),
  "binding" TEXT CHECK (length("binding") = 64),
  "version" TEXT CHECK (length("version") = 32),
  "expires" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL
);
CREATE INDEX "email_changes_user_id_index" ON "email_changes" ("user_id");
CREATE INDEX "email_changes_email_index" ON "email_changes" ("email");
CREATE INDEX "email_changes_expires_index" ON "email_changes" ("expires");
CREATE UNIQUE INDEX "email_changes_selector_unique" ON "email_changes" ("selector");

-- 20260101000016_create_account_data_tables
CREATE TABLE "account_deletions" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "selector" TEXT NOT NULL CHECK (length("selector") = 16),
  "verifier" TEXT NOT NULL CHECK (length("verifier") = 64),
  "due" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL
);
CREATE INDEX "account_deletions_due_index" ON "account_deletions" ("due");
CREATE UNIQUE INDEX "account_deletions_user_id_unique" ON "account_deletions" ("user_id");
CREATE UNIQUE INDEX "account_deletions_selector_unique" ON "account_deletions" ("selector");
CREATE TABLE "account_exports" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "handle" TEXT NOT NULL CHECK (length("handle") = 32),
  "state" TEXT NOT NULL CHECK (length("state") <= 8),
  "size" INTEGER NOT NULL,
  "expires" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL
);
CREATE INDEX "account_exports_expires_index" ON "account_exports" ("expires");
CREATE UNIQUE INDEX "account_exports_user_id_unique" ON "account_exports" ("user_id");
CREATE UNIQUE INDEX "account_exports_handle_unique" ON "account_exports" ("handle");

-- 20260101000017_create_openid_identities_table
CREATE TABLE "openid_identities" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "issuer" TEXT NOT NULL CHECK (length("issuer") <= 255),
  "subject" TEXT NOT NULL CHECK (length("subject") <= 255),
  "created_at" INTEGER NOT NULL
);
CREATE UNIQUE INDEX "openid_identities_issuer_subject_unique" ON "openid_identities" ("issuer", "subject");
CREATE UNIQUE INDEX "openid_identities_user_id_issuer_unique" ON "openid_identities" ("user_id", "issuer");

-- 20260101000018_create_schedule_table
CREATE TABLE "schedule_tasks" (
  "task" TEXT NOT NULL CHECK (length("task") <= 64),
  "expression" TEXT NOT NULL CHECK (length("expression") <= 200),
  "due_ms" INTEGER NOT NULL,
  "lease" TEXT CHECK (length("lease") <= 36),
  "lease_ms" INTEGER NOT NULL DEFAULT 0,
  "run_due_ms" INTEGER,
  "started_ms" INTEGER,
  "ended_ms" INTEGER,
  "outcome" TEXT CHECK (length("outcome") <= 8),
  "reason" TEXT CHECK (length("reason") <= 120),
  "success_ms" INTEGER,
  "runs" INTEGER NOT NULL DEFAULT 0,
  "failures" INTEGER NOT NULL DEFAULT 0,
  "skipped" INTEGER NOT NULL DEFAULT 0,
  "missed" INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY ("task")
);

-- 20260101000019_add_account_proofs
ALTER TABLE "users" ADD COLUMN "email_unproven_at" INTEGER;
CREATE TABLE "account_undos" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "selector" TEXT NOT NULL CHECK (length("selector") = 16),
  "verifier" TEXT NOT NULL CHECK (length("verifier") = 64),
  "user_id" TEXT NOT NULL CHECK (length("user_id") <= 255),
  "kind" TEXT NOT NULL CHECK (length("kind") <= 32),
  "subject" TEXT NOT NULL CHECK (length("subject") <= 64),
  "expires" INTEGER NOT NULL,
  "created_at" INTEGER NOT NULL
);
CREATE INDEX "account_undos_user_id_index" ON "account_undos" ("user_id");
CREATE INDEX "account_undos_expires_index" ON "account_undos" ("expires");
CREATE UNIQUE INDEX "account_undos_selector_unique" ON "account_undos" ("selector");

-- 20260101000020_add_suspended_column
ALTER TABLE "users" ADD COLUMN "suspended_at" INTEGER;

-- 20260101000021_create_gathered_mails_table
CREATE TABLE "gathered_mails" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT,
  "recipient" TEXT NOT NULL CHECK (length("recipient") = 64),
  "content" BLOB NOT NULL,
  "due" INTEGER NOT NULL,
  "lease" TEXT CHECK (length("lease") <= 36),
  "created_at" INTEGER NOT NULL
);
CREATE INDEX "gathered_mails_recipient_id_index" ON "gathered_mails" ("recipient", "id");

