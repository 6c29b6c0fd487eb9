interface Ffi {
  DynamicLibrary: new (path: null) => {
    getFunction: (name: string, signature: { arguments: string[]; return: string }) => (pad: bigint) => number
  }
}

/**
 * The C library keeps freed memory: after a load 45 to 75 MB in each process, in pieces between memory still in use.
 * Its `malloc_trim` gives these pages back in 1 to 30 ms (man 3 malloc_trim). Other C libraries and versions of Node do
 * not have it; then nothing is given back.
 */
export function openGiveBack(): () => void {
  try {
    const { DynamicLibrary } = loadFfi()
    const trim = new DynamicLibrary(null).getFunction('malloc_trim', { arguments: ['u64'], return: 'i32' })
    // Node checks the number of arguments at the call, so a wrong signature fails here.
    trim(0n)
    return () => void trim(0n)
  } catch {
    return () => undefined
  }
}

/**
 * Node warns once that the module is experimental. An operator cannot do anything about that, so the warning is
 * dropped.
 */
function loadFfi(): Ffi {
  const warn = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:ffi') as unknown as Ffi
  } finally {
    process.emitWarning = warn
  }
}
