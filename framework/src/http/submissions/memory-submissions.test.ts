import { describe } from 'node:test'
import {
  testSubmissionSweep,
  testSubmissions,
} from '../../../tests/databases/submission-store-contract.ts'
import { MemorySubmissions } from './memory-submissions.ts'

describe('MemorySubmissions', () => {
  testSubmissions(() => Promise.resolve(new MemorySubmissions()))
  testSubmissionSweep(() => Promise.resolve(new MemorySubmissions()))
})
