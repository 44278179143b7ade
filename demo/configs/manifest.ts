import app from './app/app.config.ts'
import database from './database/database.config.ts'

/** Every configuration scope of the project, by the name its values have in code. */
export const configs = { app, database }

export type Configs = typeof configs
