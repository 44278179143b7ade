import { Throwables } from './throwables.ts'

// The side effect of `import 'framework/boot'`.
Throwables.install()
