import app from './app/app.config.ts'

/** Every configuration scope of the project, by the name its values have in code. */
export const configs = { app }

export type Configs = typeof configs
