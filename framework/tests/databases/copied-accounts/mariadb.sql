-- 20260101000000_create_items_table
CREATE TABLE `items` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `name` VARCHAR(120) NOT NULL,
  `category` VARCHAR(40) NOT NULL,
  `price` DECIMAL(10, 2) NOT NULL,
  `stock` INT NOT NULL DEFAULT 0,
  `created_at` DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (`id`),
  INDEX `items_name_id_index` (`name`, `id`),
  INDEX `items_price_id_index` (`price`, `id`),
  INDEX `items_created_at_id_index` (`created_at`, `id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000001_create_users_table
CREATE TABLE `users` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `email` VARCHAR(254) NOT NULL,
  `password` VARCHAR(255),
  `email_verified_at` BIGINT,
  `created_at` DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (`id`),
  UNIQUE INDEX `users_email_unique` (`email`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000002_create_tokens_table
CREATE TABLE `tokens` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `selector` CHAR(16) NOT NULL,
  `verifier` CHAR(64) NOT NULL,
  `user_id` VARCHAR(255) NOT NULL,
  `purpose` VARCHAR(20) NOT NULL,
  `expires` BIGINT NOT NULL,
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `tokens_user_id_purpose_unique` (`user_id`, `purpose`),
  INDEX `tokens_expires_index` (`expires`),
  UNIQUE INDEX `tokens_selector_unique` (`selector`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000003_create_trusts_table
CREATE TABLE `trusts` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `selector` CHAR(16) NOT NULL,
  `verifier` CHAR(64) NOT NULL,
  `previous` CHAR(64),
  `rotated` BIGINT,
  `user_id` VARCHAR(255) NOT NULL,
  `expires` BIGINT NOT NULL,
  `created_at` BIGINT NOT NULL,
  `agent` VARCHAR(255) NOT NULL,
  `peer` VARCHAR(64) NOT NULL,
  `used` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `trusts_user_id_index` (`user_id`),
  INDEX `trusts_expires_index` (`expires`),
  UNIQUE INDEX `trusts_selector_unique` (`selector`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000004_create_sessions_table
CREATE TABLE `sessions` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `digest` CHAR(64) NOT NULL,
  `data` LONGTEXT NOT NULL,
  `revision` INT NOT NULL,
  `identity` VARCHAR(255),
  `device` VARCHAR(64),
  `agent` VARCHAR(255) NOT NULL,
  `peer` VARCHAR(64) NOT NULL,
  `created_at` BIGINT NOT NULL,
  `used` BIGINT NOT NULL,
  `expires` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `sessions_identity_index` (`identity`),
  INDEX `sessions_expires_index` (`expires`),
  UNIQUE INDEX `sessions_digest_unique` (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000005_create_rate_limits_table
CREATE TABLE `rate_limits` (
  `digest` CHAR(64) NOT NULL,
  `hits` INT NOT NULL,
  `earlier` INT NOT NULL,
  `ends` DOUBLE NOT NULL,
  `allowed` INT NOT NULL,
  PRIMARY KEY (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000006_create_jobs_table
CREATE TABLE `jobs` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `queue` VARCHAR(64) NOT NULL,
  `state` VARCHAR(8) NOT NULL,
  `due` BIGINT NOT NULL,
  `lease` VARCHAR(36),
  `attempts` INT NOT NULL DEFAULT 0,
  `digest` CHAR(64),
  `payload` LONGBLOB,
  `reason` VARCHAR(120),
  `created_at` BIGINT NOT NULL,
  `ended_at` BIGINT,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `jobs_queue_digest_unique` (`queue`, `digest`),
  INDEX `jobs_queue_state_due_id_index` (`queue`, `state`, `due`, `id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000007_create_submissions_table
CREATE TABLE `submissions` (
  `slot` CHAR(64) NOT NULL,
  `digest` CHAR(64) NOT NULL,
  `claim` CHAR(32) NOT NULL,
  `sealed` LONGTEXT NOT NULL,
  `expires` BIGINT NOT NULL,
  PRIMARY KEY (`slot`),
  INDEX `submissions_expires_index` (`expires`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000008_create_error_tables
CREATE TABLE `error_groups` (
  `fingerprint` CHAR(32) NOT NULL,
  `class` VARCHAR(200) NOT NULL,
  `message` VARCHAR(500) NOT NULL,
  `code` VARCHAR(100),
  `place` VARCHAR(300) NOT NULL,
  `state` VARCHAR(8) NOT NULL,
  `occurrences` BIGINT NOT NULL,
  `first_ms` BIGINT NOT NULL,
  `last_ms` BIGINT NOT NULL,
  `first_release` VARCHAR(190) NOT NULL,
  `last_release` VARCHAR(190) NOT NULL,
  `resolved_ms` BIGINT,
  `resolved_release` VARCHAR(190),
  `returned_ms` BIGINT,
  `returned_release` VARCHAR(190),
  PRIMARY KEY (`fingerprint`),
  INDEX `error_groups_state_last_ms_index` (`state`, `last_ms`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;
CREATE TABLE `error_samples` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `fingerprint` CHAR(32) NOT NULL,
  `at_ms` BIGINT NOT NULL,
  `body` LONGTEXT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `error_samples_fingerprint_id_index` (`fingerprint`, `id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;
CREATE TABLE `error_marks` (
  `fingerprint` CHAR(32) NOT NULL,
  `kind` VARCHAR(8) NOT NULL,
  `value` VARCHAR(190) NOT NULL,
  PRIMARY KEY (`fingerprint`, `kind`, `value`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000009_add_factors_column
ALTER TABLE `users` ADD COLUMN `factors` VARCHAR(255);

-- 20260101000010_create_activity_table
CREATE TABLE `account_activity` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `user_id` VARCHAR(255) NOT NULL,
  `event` VARCHAR(32) NOT NULL,
  `method` VARCHAR(64),
  `agent` VARCHAR(255) NOT NULL,
  `device` CHAR(32) NOT NULL,
  `network` VARCHAR(64) NOT NULL,
  `request` VARCHAR(128),
  `actor` VARCHAR(255) NOT NULL,
  `at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `account_activity_user_id_id_index` (`user_id`, `id`),
  INDEX `account_activity_at_index` (`at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000011_create_authenticator_tables
CREATE TABLE `totp_secrets` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `user_id` VARCHAR(255) NOT NULL,
  `state` VARCHAR(8) NOT NULL,
  `secret` VARBINARY(255) NOT NULL,
  `step` BIGINT NOT NULL,
  `expires` BIGINT,
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `totp_secrets_user_id_state_unique` (`user_id`, `state`),
  INDEX `totp_secrets_expires_index` (`expires`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;
CREATE TABLE `recovery_codes` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `user_id` VARCHAR(255) NOT NULL,
  `digest` CHAR(64) NOT NULL,
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `recovery_codes_user_id_digest_unique` (`user_id`, `digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000012_create_api_tokens_table
CREATE TABLE `api_tokens` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `selector` CHAR(16) NOT NULL,
  `verifier` CHAR(64) NOT NULL,
  `user_id` VARCHAR(255) NOT NULL,
  `name` VARCHAR(100) NOT NULL,
  `scopes` VARCHAR(1000) NOT NULL,
  `expires` BIGINT NOT NULL,
  `created_at` BIGINT NOT NULL,
  `used` BIGINT,
  PRIMARY KEY (`id`),
  INDEX `api_tokens_user_id_index` (`user_id`),
  INDEX `api_tokens_expires_index` (`expires`),
  UNIQUE INDEX `api_tokens_selector_unique` (`selector`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000013_create_passkey_tables
CREATE TABLE `passkeys` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `digest` CHAR(64) NOT NULL,
  `credential` VARCHAR(1364) NOT NULL,
  `user_id` VARCHAR(255) NOT NULL,
  `user_handle` CHAR(43) NOT NULL,
  `public_key` VARBINARY(1024) NOT NULL,
  `counter` BIGINT NOT NULL,
  `transports` VARCHAR(100) NOT NULL,
  `verifies` TINYINT(1) NOT NULL CHECK (`verifies` IN (0, 1)),
  `synced` TINYINT(1) NOT NULL CHECK (`synced` IN (0, 1)),
  `name` VARCHAR(100) NOT NULL,
  `created_at` BIGINT NOT NULL,
  `used` BIGINT,
  PRIMARY KEY (`id`),
  INDEX `passkeys_user_id_index` (`user_id`),
  UNIQUE INDEX `passkeys_digest_unique` (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;
CREATE TABLE `passkey_challenges` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `digest` CHAR(64) NOT NULL,
  `expires` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `passkey_challenges_expires_index` (`expires`),
  UNIQUE INDEX `passkey_challenges_digest_unique` (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000014_create_mail_sign_ins_table
CREATE TABLE `mail_sign_ins` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `browser` CHAR(64) NOT NULL,
  `user_id` VARCHAR(255) NOT NULL,
  `account` CHAR(64) NOT NULL,
  `code` CHAR(64) NOT NULL,
  `link` CHAR(64) NOT NULL,
  `tries` BIGINT NOT NULL,
  `expires` BIGINT NOT NULL,
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `mail_sign_ins_user_id_id_index` (`user_id`, `id`),
  INDEX `mail_sign_ins_expires_index` (`expires`),
  UNIQUE INDEX `mail_sign_ins_browser_unique` (`browser`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000015_create_email_changes_table
CREATE TABLE `email_changes` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `selector` CHAR(16) NOT NULL,
  `verifier` CHAR(64) NOT NULL,
  `user_id` VARCHAR(255) NOT NULL,
  `kind` VARCHAR(8) NOT NULL,
  `email` VARCHAR(254) NOT NULL,
  `binding` CHAR(64),
  `version` CHAR(32),
  `expires` BIGINT NOT NULL,
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `email_changes_user_id_index` (`user_id`),
  INDEX `email_changes_email_index` (`email`),
  INDEX `email_changes_expires_index` (`expires`),
  UNIQUE INDEX `email_changes_selector_unique` (`selector`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000016_create_account_data_tables
CREATE TABLE `account_deletions` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `user_id` VARCHAR(255) NOT NULL,
  `selector` CHAR(16) NOT NULL,
  `verifier` CHAR(64) NOT NULL,
  `due` BIGINT NOT NULL,
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `account_deletions_due_index` (`due`),
  UNIQUE INDEX `account_deletions_user_id_unique` (`user_id`),
  UNIQUE INDEX `account_deletions_selector_unique` (`selector`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;
CREATE TABLE `account_exports` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `user_id` VARCHAR(255) NOT NULL,
  `handle` CHAR(32) NOT NULL,
  `state` VARCHAR(8) NOT NULL,
  `size` BIGINT NOT NULL,
  `expires` BIGINT NOT NULL,
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `account_exports_expires_index` (`expires`),
  UNIQUE INDEX `account_exports_user_id_unique` (`user_id`),
  UNIQUE INDEX `account_exports_handle_unique` (`handle`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000017_create_openid_identities_table
CREATE TABLE `openid_identities` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `user_id` VARCHAR(255) NOT NULL,
  `issuer` VARCHAR(255) NOT NULL,
  `subject` VARCHAR(255) NOT NULL,
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `openid_identities_issuer_subject_unique` (`issuer`, `subject`),
  UNIQUE INDEX `openid_identities_user_id_issuer_unique` (`user_id`, `issuer`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000018_create_schedule_table
CREATE TABLE `schedule_tasks` (
  `task` VARCHAR(64) NOT NULL,
  `expression` VARCHAR(200) NOT NULL,
  `due_ms` BIGINT NOT NULL,
  `lease` VARCHAR(36),
  `lease_ms` BIGINT NOT NULL DEFAULT 0,
  `run_due_ms` BIGINT,
  `started_ms` BIGINT,
  `ended_ms` BIGINT,
  `outcome` VARCHAR(8),
  `reason` VARCHAR(120),
  `success_ms` BIGINT,
  `runs` BIGINT NOT NULL DEFAULT 0,
  `failures` BIGINT NOT NULL DEFAULT 0,
  `skipped` BIGINT NOT NULL DEFAULT 0,
  `missed` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`task`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000019_add_account_proofs
ALTER TABLE `users` ADD COLUMN `email_unproven_at` BIGINT;
CREATE TABLE `account_undos` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `selector` CHAR(16) NOT NULL,
  `verifier` CHAR(64) NOT NULL,
  `user_id` VARCHAR(255) NOT NULL,
  `kind` VARCHAR(32) NOT NULL,
  `subject` VARCHAR(64) NOT NULL,
  `expires` BIGINT NOT NULL,
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `account_undos_user_id_index` (`user_id`),
  INDEX `account_undos_expires_index` (`expires`),
  UNIQUE INDEX `account_undos_selector_unique` (`selector`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

-- 20260101000020_add_suspended_column
ALTER TABLE `users` ADD COLUMN `suspended_at` BIGINT;

-- 20260101000021_create_gathered_mails_table
CREATE TABLE `gathered_mails` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `recipient` CHAR(64) NOT NULL,
  `content` LONGBLOB NOT NULL,
  `due` BIGINT NOT NULL,
  `lease` VARCHAR(36),
  `created_at` BIGINT NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `gathered_mails_recipient_id_index` (`recipient`, `id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_nopad_bin;

