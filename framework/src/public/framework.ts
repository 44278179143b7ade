export type { Finding } from '../app/checks/finding.ts'
export {
  databaseScope,
  databaseUrlIn,
  type DatabaseScope,
  type DatabaseValues,
} from '../app/config/database-scope.ts'
export { env, type NumberOptions, type UrlOptions } from '../app/config/env.ts'
export { keyScope, type KeyScope, type KeyValues } from '../app/config/key-scope.ts'
export {
  scope,
  type ConfigScope,
  type ConfigScopes,
  type ValuesOf,
  type Variables,
} from '../app/config/scope.ts'
export { serverScope, type ServerScope, type ServerValues } from '../app/config/server-scope.ts'
export type { Variable, VariableOptions } from '../app/config/variable.ts'
export { FRAMEWORK_ENVIRONMENT } from '../app/environments/boot-environment.ts'
export { Environments } from '../app/environments/environments.ts'
export {
  ApplicationKey,
  applicationKey,
  type KeyContext,
} from '../app/security/keys/application-key.ts'
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
} from '../web/projects/boot.ts'
export {
  defineProject,
  type BannerLine,
  type Project,
  type ProjectDefinition,
} from '../web/projects/project.ts'
export type { Sweepable, Sweeps } from '../web/projects/sweepable.ts'
