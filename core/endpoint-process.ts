/**
 * The script of the process for exchanges (core/endpoint/apart). Named here, as deep as the folder of the bundled programs, so that it is
 * found from there as well.
 */
export const EXCHANGE_PROCESS = new URL('../core/endpoint/apart/exchange-process.ts', import.meta.url)
