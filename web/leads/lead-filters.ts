/** What the list of leads is narrowed by; empty texts narrow nothing. */
export interface LeadFilters {
  search: string
  status: string
  state: string
  /** ISO times, as links of other screens bring them; `from` is included, `to` is not */
  from: string
  to: string
  /** 'false': without test leads; 'true': only these */
  is_test: string
  disposition: string
  /** 'failed' */
  delivery: string
  /** 'true' */
  unread: string
}

export const NO_FILTERS: LeadFilters = {
  search: '',
  status: '',
  state: '',
  from: '',
  to: '',
  is_test: '',
  disposition: '',
  delivery: '',
  unread: '',
}

/** The same with what they are sorted by: 'name', '-price', …; empty for newest first. */
export interface LeadListing extends LeadFilters {
  sort: string
}
