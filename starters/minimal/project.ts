import { defineProject } from 'framework'
import { Home } from './routes/home.ts'

export default defineProject({ name: 'starter', routes: [Home] })
