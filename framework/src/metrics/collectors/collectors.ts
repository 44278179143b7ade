export { ProcessCollector as Process } from './process.ts'
export { RuntimeCollector as Runtime } from './runtime.ts'
export type { RuntimeOptions } from './runtime.ts'
