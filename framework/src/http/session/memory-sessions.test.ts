import { describe } from 'node:test'
import { testStore, testSweep } from '../../../tests/databases/session-store-contract.ts'
import { MemorySessions } from './memory-sessions.ts'

describe('MemorySessions', () => {
  testStore(() => Promise.resolve(new MemorySessions()))
  testSweep(() => Promise.resolve(new MemorySessions()))
})
