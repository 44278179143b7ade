import { describe } from 'node:test'
import { testSubmissions } from '../../../tests/databases/submission-rows-contract.ts'
import { MemorySessions } from '../session/memory-sessions.ts'

describe('SubmissionRows', () => {
  testSubmissions(() => Promise.resolve(new MemorySessions()))
})
