/** Filters of the list of leads; an empty text does not filter. */
export interface LeadFilters {
  search: string
  status: string
  state: string
  /** ISO times, as links of other screens bring them; `from` is included, `to` is not */
  from: string
  to: string
  /** 'false': no test leads; 'true': only test leads */
  is_test: string
  disposition: string
  /** 'failed' or empty */
  delivery: string
  /** 'true' or empty */
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

/** The filters with the sort order: 'name', '-price', …; empty for newest first. */
export interface LeadListing extends LeadFilters {
  sort: string
}
