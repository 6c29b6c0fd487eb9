/**
 * The script of the process for exchanges (core/endpoint/isolated). Named here, as deep as the folder of the bundled programs, so that it is
 * found from there as well.
 */
export const EXCHANGE_PROCESS = new URL('./endpoint/isolated/exchange-process.ts', import.meta.url)
