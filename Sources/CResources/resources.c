#include "resources.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Each file is its bytes and a zero.
static const struct {
  const char *name;
  const unsigned char *bytes;
} files[] = {
  // Pages.
  {"page.css", (const unsigned char[]) {
#embed "../Reporting/Report/Page/page.css"
  , 0}},
  {"page.html", (const unsigned char[]) {
#embed "../Reporting/Report/Page/page.html"
  , 0}},
  // Charts.
  {"common.gp", (const unsigned char[]) {
#embed "../../plots/common/common.gp"
  , 0}},
  {"percentiles.gp", (const unsigned char[]) {
#embed "../../plots/percentiles.gp"
  , 0}},
  {"main-queue.gp", (const unsigned char[]) {
#embed "../../plots/main-queue.gp"
  , 0}},
  {"import-vs-hitch.gp", (const unsigned char[]) {
#embed "../../plots/import-vs-hitch.gp"
  , 0}},
  {"lateness.gp", (const unsigned char[]) {
#embed "../../plots/lateness.gp"
  , 0}},
  {"sweep.gp", (const unsigned char[]) {
#embed "../../plots/sweep/sweep.gp"
  , 0}},
  // Profiles.
  {"core-data.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/core-data.yaml"
  , 0}},
  {"reference.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/reference.yaml"
  , 0}},
  {"iphone-15-pro.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-15-pro.yaml"
  , 0}},
  {"iphone-14-pro.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-14-pro.yaml"
  , 0}},
  {"iphone-12-pro.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-12-pro.yaml"
  , 0}},
  {"iphone-11-pro.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-11-pro.yaml"
  , 0}},
  {"iphone-7-plus.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-7-plus.yaml"
  , 0}},
  {"iphone-6s-plus.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-6s-plus.yaml"
  , 0}},
  {"iphone-6s.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-6s.yaml"
  , 0}},
  {"iphone-6-ios-11.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-6-ios-11.yaml"
  , 0}},
  {"iphone-6-ios-9.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-6-ios-9.yaml"
  , 0}},
  {"iphone-5.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-5.yaml"
  , 0}},
  {"ipod-touch-5.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/ipod-touch-5.yaml"
  , 0}},
  {"ipad-mini-ios-6.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/ipad-mini-ios-6.yaml"
  , 0}},
  {"iphone-4s.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-4s.yaml"
  , 0}},
  {"iphone-4.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/iphone-4.yaml"
  , 0}},
  {"mac-2016.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/mac-2016.yaml"
  , 0}},
  {"pixel-3.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/pixel-3.yaml"
  , 0}},
  {"host.yaml", (const unsigned char[]) {
#embed "../InputFiles/Profiles/Shipped/host.yaml"
  , 0}},
  // Claims.
  {"experiments.yaml", (const unsigned char[]) {
#embed "../Experiments/Claims/Shipped/experiments.yaml"
  , 0}},
  {"in-defense.yaml", (const unsigned char[]) {
#embed "../Experiments/Claims/Shipped/in-defense.yaml"
  , 0}},
  {"threading-demystified.yaml", (const unsigned char[]) {
#embed "../Experiments/Claims/Shipped/threading-demystified.yaml"
  , 0}},
  {"six-stacks.yaml", (const unsigned char[]) {
#embed "../Experiments/Claims/Shipped/six-stacks.yaml"
  , 0}},
  {"dance-with-threads.yaml", (const unsigned char[]) {
#embed "../Experiments/Claims/Shipped/dance-with-threads.yaml"
  , 0}},
  {"hudl-technique.yaml", (const unsigned char[]) {
#embed "../Experiments/Claims/Shipped/hudl-technique.yaml"
  , 0}},
  {"figures.csv", (const unsigned char[]) {
#embed "../../Results/claims/figures.csv"
  , 0}},
  // Published figures.
  {"constraints.yaml", (const unsigned char[]) {
#embed "../Validation/Published/constraints.yaml"
  , 0}},
  {"kugler-2013.yaml", (const unsigned char[]) {
#embed "../Validation/Published/Tables/kugler-2013.yaml"
  , 0}},
  {"iphone-6-child-of-main.yaml", (const unsigned char[]) {
#embed "../Validation/Published/Tables/iphone-6-child-of-main.yaml"
  , 0}},
  {"mac-2016-inserts.yaml", (const unsigned char[]) {
#embed "../Validation/Published/Tables/mac-2016-inserts.yaml"
  , 0}},
  {"iphone-7-plus-inserts.yaml", (const unsigned char[]) {
#embed "../Validation/Published/Tables/iphone-7-plus-inserts.yaml"
  , 0}},
  {"anchor-iphone-6.yaml", (const unsigned char[]) {
#embed "../Validation/Published/Tables/anchor-iphone-6.yaml"
  , 0}},
  {"iphone-11-pro-dflat.yaml", (const unsigned char[]) {
#embed "../Validation/Published/Tables/iphone-11-pro-dflat.yaml"
  , 0}},
  {"iphone-14-pro-inserts.yaml", (const unsigned char[]) {
#embed "../Validation/Published/Tables/iphone-14-pro-inserts.yaml"
  , 0}},
  {"iphone-5-fetches.yaml", (const unsigned char[]) {
#embed "../Validation/Published/Tables/iphone-5-fetches.yaml"
  , 0}},
};

const char *resource(const char *name) {
  for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
    if (strcmp(files[index].name, name) == 0) return (const char *)files[index].bytes;
  }
  fprintf(stderr, "%s is no file of the program\n", name);
  abort();
}
