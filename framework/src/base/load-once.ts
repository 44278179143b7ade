/**
 * Loads a module with the first call. Asking Node again for one that is loaded takes 9 µs, which counts
 * where every request asks. What failed is tried again: a process may be out of files for a moment.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | null = null
  return () => (loading ??= load().catch(forget))

  function forget(error: unknown): never {
    loading = null
    throw error
  }
}
