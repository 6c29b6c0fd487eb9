/** Where the data API is (docs/contract.md §3). */
export const REST_PATH = '/rest/v1'
