export const SORT_KEYS = ["updated", "created", "title", "id"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
