//! PDF: libqpdf, which alone writes what customers made, pdfium, which draws and reads pages, changes to single objects, text in
//! embedded fonts, the content of pages as the crate `layout` takes it, and what operations on PDF do with all of these.

// Both bring JPEG libraries with functions of the same names, of which the linker takes those that it meets first. In this
// order these are mozjpeg's; libqpdf is never asked to decode JPEG. In the other one nothing would encode JPEG any more.
// Whichever crate links this one and another that encodes JPEG names this one first.
extern crate qpdf_sys as _;

extern crate mozjpeg as _;

pub mod archive;
pub mod content;
pub mod destinations;
pub mod flatten;
pub mod graft;
pub mod image_to_pdf;
pub mod lettering;
pub mod merge;
pub mod metadata;
pub mod objects;
pub mod overlay;
pub mod patch;
pub mod pdf_pages;
pub mod pdf_to_images;
pub mod pdfium;
pub mod protection;
pub mod qpdf;
pub mod syntax;
pub mod trees;
