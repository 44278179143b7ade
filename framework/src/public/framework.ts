export type { Finding } from '../project/checks/check.ts'
export { databaseScope, databaseUrlIn } from '../database/database-settings.ts'
export { env } from '../settings/env.ts'
export { keyScope } from '../settings/key-settings.ts'
export { scope, type ConfigScope, type ValuesOf } from '../settings/scope.ts'
export type { Variable } from '../settings/variable.ts'
export { FRAMEWORK_ENVIRONMENT } from '../settings/boot-environment.ts'
export { Environments } from '../settings/environments.ts'
export { ApplicationKey, applicationKey } from '../settings/application-key.ts'
export { Encrypter } from '../base/crypto/encrypter.ts'
export { errorCodes, type ErrorCode } from '../base/error-codes.ts'
export {
  ConfigurationError,
  FrameworkError,
  InvalidArgumentException,
  OverloadedError,
} from '../base/errors.ts'
export type { Boot, CheckBoot } from '../project/boot.ts'
export { defineProject, type Project } from '../project/project.ts'
export type { Sweepable } from '../project/sweeps.ts'
