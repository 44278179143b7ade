export type { Finding } from '../project/checks/check.ts'
export {
  databaseScope,
  databaseUrlIn,
  type DatabaseScope,
  type DatabaseValues,
} from '../database/database-settings.ts'
export { env, type NumberOptions, type UrlOptions } from '../settings/env.ts'
export { keyScope, type KeyScope, type KeyValues } from '../settings/keys/key-settings.ts'
export {
  scope,
  type ConfigScope,
  type ConfigScopes,
  type ValuesOf,
  type Variables,
} from '../settings/scope.ts'
export { serverScope, type ServerScope, type ServerValues } from '../http/server/server-settings.ts'
export type { Variable, VariableOptions } from '../settings/variable.ts'
export { FRAMEWORK_ENVIRONMENT } from '../settings/boot-environment.ts'
export { Environments } from '../settings/environments.ts'
export {
  ApplicationKey,
  applicationKey,
  type KeyContext,
} from '../settings/keys/application-key.ts'
export { Encrypter } from '../base/crypto/encrypter.ts'
export { MessageEncrypter } from '../base/crypto/message-encrypter.ts'
export { errorCodes, type ErrorCode } from '../base/error-codes.ts'
export {
  ConfigurationError,
  FrameworkError,
  InvalidArgumentException,
  OverloadedError,
} from '../base/errors.ts'
export type {
  Boot,
  CheckBoot,
  InstallContext,
  InstalledParts,
  NoConfigs,
  ProjectContext,
} from '../project/boot.ts'
export {
  defineProject,
  type BannerLine,
  type Project,
  type ProjectDefinition,
} from '../project/project.ts'
export type { Sweepable, Sweeps } from '../project/sweeps.ts'
