import { SITE_PATHS } from '#core/contract/paths.ts'
import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'

/** Searches in the browser, with an index that is built with the pages. The menu needs no script. */
export function GuideSearch() {
  return (
    <search className="needs-script block print:hidden">
      <div id="guide-search" className="relative" data-index={`${SITE_PATHS.documentation}/search.json`}>
        <label htmlFor="guide-search-words" className="sr-only">
          Search the documentation
        </label>
        <input
          id="guide-search-words"
          type="search"
          role="combobox"
          aria-expanded="false"
          aria-controls="guide-search-results"
          aria-autocomplete="list"
          autoComplete="off"
          placeholder="Search the guides"
          className={`${CONTROL_CLASS} h-9`}
        />
        <div
          id="guide-search-results"
          role="listbox"
          aria-label="Results"
          hidden
          className="absolute top-11 right-0 left-0 z-20 max-h-96 overflow-auto rounded-lg bg-raised p-1 shadow-float @3xl:w-96"
        />
        <p id="guide-search-status" role="status" className="mt-1 text-xs text-muted sr-only" />
      </div>
    </search>
  )
}
