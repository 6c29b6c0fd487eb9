/**
 * The script of the process for exchanges (core/endpoint/isolated). It is named in this file because the file's depth
 * is that of the bundled programs' folder, so that the path also holds there.
 */
export const EXCHANGE_PROCESS = new URL('./endpoint/isolated/exchange-process.ts', import.meta.url)
