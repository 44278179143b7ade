import { Throwables } from './throwables.ts'

// What makes `import 'framework/boot'` worth its line.
Throwables.install()
