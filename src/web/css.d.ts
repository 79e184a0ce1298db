/** Stylesheets become part of the page when they are imported. */
declare module "*.css";
