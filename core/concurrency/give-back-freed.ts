interface Ffi {
  DynamicLibrary: new (path: null) => {
    getFunction: (name: string, signature: { arguments: string[]; return: string }) => (pad: bigint) => number
  }
}

/**
 * The C library keeps what is freed: after a load 45 to 75 MB a process, in pieces between what is still used. Its `malloc_trim` gives
 * these pages back in 1 to 30 ms (man 3 malloc_trim). Other C libraries and versions of Node do not have it: then nothing is given back.
 */
export function openGiveBack(): () => void {
  try {
    const { DynamicLibrary } = loadFfi()
    const trim = new DynamicLibrary(null).getFunction('malloc_trim', { arguments: ['u64'], return: 'i32' })
    // Node checks the number of arguments at the call, so a signature that it reads differently fails here.
    trim(0n)
    return () => void trim(0n)
  } catch {
    return () => undefined
  }
}

/** Node warns once that the module is experimental, which nobody who runs Leadwire can act upon. */
function loadFfi(): Ffi {
  const warn = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:ffi') as unknown as Ffi
  } finally {
    process.emitWarning = warn
  }
}
