/** The path of the data API (docs/contract.md §3). */
export const REST_PATH = '/rest/v1'
